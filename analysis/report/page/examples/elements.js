/** What the examples' scripts share. Everything that models wrote is put into the page as text, never as markup. */
export const byId = (id) => document.getElementById(id);

/** An element with attributes and children; string children become text, and null ones are left out. */
export const element = (name, attributes, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null));
  return made;
};

export const plain = (name) => name.replaceAll('_', ' ');
export const simulatedTag = (example) => (example.simulated ? element('span', { class: 'tag' }, 'simulated') : null);
