/** Names by which workflows are found in Temporal: keywords with the run's name and the model under study. */
export const searchAttributes = { run: 'EvenkeelRun', model: 'EvenkeelModel' } as const;
