import { createHash } from 'node:crypto'
import { parse } from 'acorn'
import { fullAncestor } from 'acorn-walk'

/**
 * @typedef {object} Site - a place that can be changed, in one way or in either of two
 * @property {'comparison' | 'bound' | 'await' | 'call'} kind
 * @property {number} line - from 1
 * @property {number} start - of what is replaced, in the text
 * @property {number} end
 * @property {readonly string[]} puts - instead
 * @property {string} code - the line, without indentation
 * @property {number} column - in `code`
 * @property {string | undefined} name - of the declaration of the module that the site is in
 *
 * @typedef {object} Mutation
 * @property {number} number - of the draw, from 1
 * @property {string} file
 * @property {number} line - from 1
 * @property {number} start - of what is replaced, in the file's text
 * @property {number} end
 * @property {string} put - instead
 * @property {string} what - is changed, in words
 * @property {string | undefined} name - of the declaration of the module that is changed
 *
 * @typedef {any} Node - of the syntax tree, as acorn has it
 */

/** Comparison → what it may be turned into. @type {Readonly<Record<string, readonly string[]>>} */
const TURNED = Object.freeze({
  '<': ['<=', '>'],
  '<=': ['<', '>='],
  '>': ['>=', '<'],
  '>=': ['>', '<='],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['==']
})

/** Methods whose arguments are indices. */
const BY_INDEX = new Set(['at', 'slice', 'splice', 'subarray', 'substring', 'toSpliced', 'with'])

/** A statement that begins so would go on with the line before, as no semicolon ends that. */
const GOES_ON = /^[([`/+-]/

/**
 * sitesIn finds what a mutation can change in a module: a comparison that is turned, a bound that is one off, an `await` or the
 * statement of a call that is left out.
 *
 * @param {string} source
 * @returns {Site[]}
 */
export function sitesIn(source) {
  /** @type {Site[]} */
  const sites = []
  const lines = source.split('\n')
  const tree = parse(source, { ecmaVersion: 'latest', sourceType: 'module', locations: true })
  fullAncestor(tree, (/** @type {Node} */ node, _, /** @type {Node[]} */ ancestors) => {
    for (const change of changesAt(node, ancestors.slice(0, -1), source)) {
      const { line, column } = node.loc.start
      const text = lines[line - 1]
      const code = text.trim()
      const name = nameOf(ancestors[1])
      sites.push({ ...change, line, code, column: column - text.indexOf(code), name })
    }
  })
  return sites.sort((a, b) => a.start - b.start || a.end - b.end)
}

/**
 * @param {Node} node
 * @param {Node[]} above - from the root of the tree
 * @param {string} source
 * @returns {Pick<Site, 'kind' | 'start' | 'end' | 'puts'>[]}
 */
function changesAt(node, above, source) {
  const { type, start, end } = node
  if (type === 'BinaryExpression' && node.operator in TURNED) {
    const { left, right, operator } = node
    const at = left.end + source.slice(left.end, right.start).indexOf(operator)
    return [{ kind: 'comparison', start: at, end: at + operator.length, puts: TURNED[operator] }]
  }
  if (type === 'AwaitExpression') {
    const isStatement = above.at(-1)?.type === 'ExpressionStatement'
    const awaited = source.slice(start + 'await'.length, end).trimStart()
    const put = isStatement && GOES_ON.test(awaited) ? ';' : ''
    return [{ kind: 'await', start, end: end - awaited.length, puts: [put] }]
  }
  if (type === 'ExpressionStatement' && isCall(node.expression))
    return [{ kind: 'call', start, end, puts: [';'] }]
  if (type === 'Literal' && isWhole(node) && isBound(node, above)) {
    const puts = [-1, 1].map(by => oneOff(node, by))
    return [{ kind: 'bound', start, end, puts }]
  }
  return []
}

/** @param {Node} expression @returns {boolean} */
function isCall({ type, argument, expression, callee }) {
  if (type === 'AwaitExpression') return isCall(argument)
  if (type === 'ChainExpression') return isCall(expression)
  // a class that does not call it has no `this`
  return type === 'CallExpression' && callee.type !== 'Super'
}

/** @param {Node} literal */
const isWhole = ({ value }) => typeof value === 'bigint' || Number.isSafeInteger(value)

/** @param {Node} literal @param {number} by */
function oneOff({ value }, by) {
  const other = typeof value === 'bigint' ? `${value + BigInt(by)}n` : String(value + by)
  // a minus behind another one would be a decrement
  return other.startsWith('-') ? `(${other})` : other
}

/**
 * A bound is a number in a comparison, an index, or a length, also one that something is added to or taken from.
 *
 * @param {Node} literal
 * @param {Node[]} above
 */
function isBound(literal, above) {
  let inner = literal
  for (const node of above.toReversed()) {
    const { type, operator } = node
    const isSum = type === 'BinaryExpression' && (operator === '+' || operator === '-')
    if (isSum && [node.left, node.right].some(isLength)) return true
    if (!isSum && !(type === 'UnaryExpression' && operator === '-')) return isPlaceOfBound(node, inner)
    inner = node
  }
  return false
}

/** @param {Node} node */
const isLength = ({ type, computed, property }) =>
  type === 'MemberExpression' && !computed && property.name === 'length'

/** @param {Node} node @param {Node} inner - a part of it */
function isPlaceOfBound({ type, operator, computed, property, key, callee }, inner) {
  if (type === 'BinaryExpression') return operator in TURNED
  if (type === 'MemberExpression') return computed && property === inner
  if (type === 'Property') return key.name === 'length'
  if (type === 'NewExpression') return callee.name === 'Array'
  if (type !== 'CallExpression') return false
  return callee.name === 'Array' || (callee.type === 'MemberExpression' && BY_INDEX.has(callee.property.name))
}

/** @param {Node} statement - of the module @returns {string | undefined} */
function nameOf(statement) {
  const declaration = statement.declaration ?? statement
  return (declaration.id ?? declaration.declarations?.[0].id)?.name
}

/**
 * drawMutations draws some of all sites, each as likely as any other. A site is known by its line alone, so that code that has moved, to another
 * place or file, has mostly the same mutations.
 *
 * @param {readonly { file: string, source: string }[]} modules
 * @param {{ seed: number, count: number }} draw - of more, the first ones are those of less
 * @returns {Mutation[]}
 */
export function drawMutations(modules, { seed, count }) {
  /** @type {Map<string, number>} */
  const seen = new Map()
  return modules
    .flatMap(({ file, source }) => sitesIn(source).map(site => ({ file, source, ...site })))
    .map(site => {
      const key = [seed, site.kind, site.code, site.column].join('\0')
      const before = seen.get(key) ?? 0
      seen.set(key, before + 1)
      return { site, digest: createHash('sha256').update(`${key}\0${before}`).digest() }
    })
    .sort((a, b) => Buffer.compare(a.digest, b.digest))
    .slice(0, count)
    .map(({ site, digest }, i) => {
      const { file, source, line, start, end, puts, name } = site
      const put = puts[digest[digest.length - 1] % puts.length]
      return { number: i + 1, file, line, start, end, put, what: inWords(site, put, source), name }
    })
}

/** @param {Site} site @param {string} put @param {string} source */
function inWords({ kind, start, end, code }, put, source) {
  const found = source.slice(start, end)
  if (kind === 'call') return `left out: ${found.replace(/\s+/g, ' ')}`
  return kind === 'await' ? `no await: ${code}` : `${found} → ${put}: ${code}`
}
