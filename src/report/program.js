/** PROGRAM is how the program is called in texts. */
export const PROGRAM = 'node index.js'
