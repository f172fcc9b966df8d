/** stageNames are what the stages are called. @type {Readonly<Record<string, string>>} */
export const stageNames = { mean: 'mean', peak: 'at times', killed: 'at times, a server killed' }
