import { withoutPassword } from '../kit/without-password.js'

/** @typedef {import('../plan/read-options.js').Problem} Problem */

/**
 * problemList writes what is wrong with the options, a line for each. A word that has no use may be an address, whose flag was forgotten.
 *
 * @param {Problem[]} problems
 * @param {string} help - the command that shows what is allowed
 * @returns {string}
 */
export function problemList(problems, help) {
  const given = problems.map(({ flag, value }) => withoutPassword(`${flag} ${value}`.trim()))
  const width = Math.min(50, Math.max(...given.map(text => text.length)))
  return [
    `${problems.length} problem${problems.length === 1 ? '' : 's'}:`,
    ...problems.map(({ allowed }, i) => `  ${given[i].padEnd(width)}  ${allowed}`),
    `See ${help}`,
    ''
  ].join('\n')
}
