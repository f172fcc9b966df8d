// The `schema` command, which prints JSON Schemas of our files, and the `completion` command, which prints a completion
// script for the shell.

import yargs from 'yargs'
import { INSTALLED_NAME, PROGRAM } from '../../kit/runtime.js'
import { choice } from '../../plan/values.js'
import { jsonSchemas } from '../../report/schema.js'
import { loadAllScenarios } from '../../scenarios/index.js'
import { EXIT, makeStrayWordProblems, refuse } from '../exit.js'

/**
 * @typedef {import('../command-line.js').Arguments} Arguments
 * @typedef {import('../command-line.js').CommandHelp} CommandHelp
 */

/** @type {CommandHelp} */
export const SCHEMA = {
  options: {},
  examples: /** @type {[string, string][]} */ ([
    ['all schemas', 'schema'],
    ['of result.json', 'schema result > result.schema.json'],
    ['of its plan', 'schema plan'],
    ['of a line of --jsonLines', 'schema line'],
    ['of network files', 'schema network > network.schema.json']
  ]),
  epilogue: 'JSON Schema draft 2020-12, generated from the code that reads and checks results.'
}

/** @param {Record<string, { title?: string }>} schemas */
const schemaNames = schemas =>
  Object.entries(schemas)
    .map(([name, { title }]) => `${PROGRAM} schema ${name.padEnd(8)} ${title}\n`)
    .join('')

/**
 * schemaCommand prints a JSON Schema, or which there are.
 *
 * @param {Arguments} args
 * @param {import('../index.js').ProcessIo} io
 * @returns {Promise<number>} exit code
 */
export async function schemaCommand({ options, words }, io) {
  const scenarios = await loadAllScenarios()
  const files = await Promise.all(scenarios.map(async ({ schemas }) => (await schemas()).files?.()))
  const schemas = /** @type {Record<string, { title?: string }>} */ (
    Object.assign({}, await jsonSchemas(scenarios), ...files)
  )
  const [name, ...more] = words
  const problems = [
    ...(name === undefined || Object.hasOwn(schemas, name)
      ? []
      : [{ flag: name, value: '', allowed: choice(Object.keys(schemas)).allowed }]),
    ...makeStrayWordProblems([...more, ...Object.keys(options).map(option => `--${option}`)])
  ]
  if (problems.length > 0) return refuse('schema', problems, io)
  io.stdout.write(name === undefined ? schemaNames(schemas) : `${JSON.stringify(schemas[name], null, 2)}\n`)
  return EXIT.DONE
}

/** @type {import('../command-line.js').CommandHelp} */
export const COMPLETION = {
  options: {},
  examples: /** @type {[string, string][]} */ ([['for every new shell', 'completion >> ~/.bashrc']]),
  epilogue: `Completes ${INSTALLED_NAME}, its commands, options and their values in bash and zsh, after npm install --global.`
}

/**
 * completionCommand prints a script that completes commands, options and values.
 *
 * @param {import('../command-line.js').Arguments} args
 * @param {import('../index.js').ProcessIo} io
 * @returns {Promise<number>} exit code
 */
export async function completionCommand({ options, words }, io) {
  const problems = makeStrayWordProblems([...words, ...Object.keys(options).map(name => `--${name}`)])
  if (problems.length > 0) return refuse('completion', problems, io)
  yargs().scriptName(INSTALLED_NAME).showCompletionScript()
  return EXIT.DONE
}
