/** loadNames are what the rates of a network are called. @type {Readonly<Record<string, string>>} */
export const loadNames = { mean: 'mean', peak: 'peak hour', burst: '3 × peak hour' }
