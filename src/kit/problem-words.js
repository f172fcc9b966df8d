/**
 * problemWords says in a line what is wrong with options.
 *
 * @param {readonly { flag: string, value?: unknown, allowed: string }[]} problems
 */
export const problemWords = problems =>
  problems.map(({ flag, value, allowed }) => [flag, value, allowed].filter(Boolean).join(' ')).join('; ')
