/** SCRIPT is how the program is called in texts. */
export { PROGRAM as SCRIPT } from '../report/program.js'
