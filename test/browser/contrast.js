/** Runs in the page; its value is every visible text with its WCAG contrast to what lies under it, lowest first. */
(() => {
  /** `rgb()` counts to 255, and `color(srgb ...)`, which a mix of colours comes to, to 1. */
  const rgba = (css) => {
    const [r, g, b, a = 1] = css.match(/[\d.]+/g).map(Number);
    const most = css.startsWith('color(srgb') ? 255 : 1;
    return [r * most, g * most, b * most, a];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const background = (element) => {
    if (element === null) return [255, 255, 255, 1];
    const own = rgba(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, background(element.parentElement));
  };
  const light = (channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * light(r / 255) + 0.7152 * light(g / 255) + 0.0722 * light(b / 255);
  const ratio = (element) => {
    const style = getComputedStyle(element);
    const under = background(element);
    const ink = over(rgba(element instanceof SVGElement ? style.fill : style.color), under);
    const [low, high] = [luminance(ink), luminance(under)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (text !== '' && element.checkVisibility()) found.push({ text: text.slice(0, 60), ratio: ratio(element) });
  }
  return found.sort((a, b) => a.ratio - b.ratio);
})();
