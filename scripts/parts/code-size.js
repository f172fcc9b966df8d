import { parse, tokTypes } from 'acorn'
import { full } from 'acorn-walk'

/**
 * @typedef {object} CodeSize
 * @property {number} tokens - of ECMAScript; comments, and the types in them, are none
 * @property {number[]} functionLines - from the first to the last line of each function
 */

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/**
 * codeSize counts a module on its syntax tree, so that layout and comments count for nothing.
 *
 * @param {string} source
 * @returns {CodeSize}
 */
export function codeSize(source) {
  let tokens = 0
  const tree = parse(source, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
    onToken: ({ type }) => {
      if (type !== tokTypes.eof) tokens += 1
    }
  })
  /** @type {number[]} */
  const functionLines = []
  full(tree, ({ type, loc }) => {
    if (FUNCTIONS.has(type) && loc != null) functionLines.push(loc.end.line - loc.start.line + 1)
  })
  return { tokens, functionLines }
}
