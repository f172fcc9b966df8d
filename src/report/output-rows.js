/** rowLine is a line of a markdown table. @param {string[]} cells */
export const rowLine = cells => `| ${cells.join(' | ')} |`

/** lastHeader is the first line of the last table of a file. @param {string} content */
export const lastHeader = content =>
  content
    .slice(content.lastIndexOf('\n\n') + 1)
    .trim()
    .split('\n')[0]
