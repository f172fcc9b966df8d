/** SCRIPT is how the program is called in texts. */
export const SCRIPT = 'node index.js'
