import { basename, dirname, extname, join, resolve } from 'node:path'
import { nearWord } from '../../../kit/problem-words.js'
import { isMapping, readYamlFile } from '../../../plan/yaml-file.js'
import { isName, SHIPPED, shippedFile, shippedNames } from '../../shipped-file.js'
import { readMatrixFile } from './matrix-file.js'

/**
 * @typedef {import('../../../plan/read-options.js').Problem} Problem
 * @typedef {import('./matrix.js').NamedMatrix} NamedMatrix
 * @typedef {import('../../../scenarios/scenario.js').Scenario} Scenario
 * @typedef {{ matrix?: NamedMatrix, problems: Problem[] }} Loaded
 */

/** A list of plans for both networks, no matrix. */
const CASES = 'validation-cases'

/** The matrices of the source document, which are run when no file is named. */
async function sourceMatrices() {
  const names = await shippedNames()
  const ours = names.filter(name => /^rendezvous-(register|discover)/.test(name))
  const isRegister = (/** @type {string} */ name) => Number(name.includes('register'))
  // REGISTER first, as in the source
  return ours.sort((a, b) => isRegister(b) - isRegister(a)).map(name => join(SHIPPED, `${name}.yaml`))
}

/** What a word means that is neither a file nor the name of one. @param {string} word */
async function noMatrix(word) {
  const names = (await shippedNames()).filter(name => name !== CASES)
  const near = nearWord(word, names)
  const hint =
    near === null ? `. Those that come with this program: ${names.join(', ')}` : `; did you mean ${near}?`
  return `is neither a file nor the name of a matrix${hint}`
}

/**
 * What several files have in common stands in one that they include.
 *
 * @param {Record<string, unknown>} content
 * @param {string} path
 * @returns {Promise<{ document: Record<string, unknown>, problem?: undefined } | { problem: Problem, document?: undefined }>}
 */
async function withIncluded({ include, ...own }, path) {
  if (include === undefined) return { document: own }
  const refuse = (/** @type {string} */ allowed) => ({
    problem: { flag: `${basename(path)}: include`, value: String(include), allowed }
  })
  const { problem, ...file } = await readYamlFile(resolve(dirname(path), String(include)))
  if (!('content' in file)) return refuse(problem ?? '')
  const { content } = file
  if (!isMapping(content)) return refuse('must hold parts of a matrix file by name')
  const lists = [content, own].map(({ differences }) => differences ?? [])
  const differences = lists.every(Array.isArray) ? { differences: lists.flat() } : {}
  const options = [content, own].map(({ defaults }) => defaults ?? {})
  const defaults = options.every(isMapping) ? { defaults: Object.assign({}, ...options) } : {}
  return { document: { ...content, ...own, ...differences, ...defaults } }
}

/** @param {string} word @param {readonly Scenario[]} scenarios @returns {Promise<Loaded>} */
async function load(word, scenarios) {
  const path = await shippedFile(word)
  const file = basename(path)
  const { problem = '', ...read } = await readYamlFile(path)
  if (!('content' in read)) {
    const allowed = isName(word) && problem === 'does not exist' ? await noMatrix(word) : problem
    return { problems: [{ flag: word, value: '', allowed }] }
  }
  if (!isMapping(read.content))
    return { problems: [{ flag: path, value: '', allowed: 'must be a matrix file, with title and rows' }] }
  const included = await withIncluded(read.content, path)
  if (included.problem !== undefined) return { problems: [included.problem] }
  const { matrix, problems = [] } = readMatrixFile(file, included.document, scenarios)
  return matrix === undefined
    ? { problems }
    : { matrix: { id: basename(path, extname(path)), file, matrix }, problems }
}

/**
 * loadMatrices reads matrix files.
 *
 * @param {string[]} paths - or names of those that come with the program; none: those of the source document
 * @param {readonly Scenario[]} scenarios - that matrices can be made of
 * @returns {Promise<{ matrices: NamedMatrix[], problems: Problem[] }>}
 */
export async function loadMatrices(paths, scenarios) {
  const files = paths.length > 0 ? paths : await sourceMatrices()
  const loaded = await Promise.all(files.map(file => load(file, scenarios)))
  const matrices = loaded.flatMap(({ matrix }) => matrix ?? [])
  const doubles = matrices.filter(({ id }, place) => matrices.findIndex(other => other.id === id) < place)
  return {
    matrices,
    problems: [
      ...loaded.flatMap(({ problems }) => problems),
      ...doubles.map(({ file }) => ({
        flag: file,
        value: '',
        allowed: 'is the name of two of the files: rename one'
      }))
    ]
  }
}
