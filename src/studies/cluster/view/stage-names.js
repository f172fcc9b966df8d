/** stageNames are what the stages are called. @type {Readonly<Record<string, string>>} */
export const stageNames = { mean: 'mean', peak: 'peak', killed: 'peak with a server killed' }
