export { abPage } from './ab-page.js'
export { matrixPage } from './matrix-page.js'
export { reportPage } from './run-page.js'
