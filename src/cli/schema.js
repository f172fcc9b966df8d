import { PROGRAM } from '../kit/program.js'
import { choice } from '../plan/values.js'
import { jsonSchemas } from '../result/schema.js'
import { allScenarios } from '../scenarios/index.js'
import { EXIT } from './exit-codes.js'
import { refuse } from './refuse.js'

/**
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 */

/** @type {CommandHelp} */
export const SCHEMA = {
  options: {},
  examples: /** @type {[string, string][]} */ ([
    ['which there are', 'schema'],
    ['of result.json', 'schema result > result.schema.json'],
    ['of the plan in it', 'schema plan'],
    ['of a line of --jsonLines', 'schema line'],
    ['of the file that gossip --networkFile takes', 'schema network > network.schema.json']
  ]),
  epilogue: 'JSON Schema draft 2020-12, made from the code that reads and checks results.'
}

/** @param {Record<string, { title?: string }>} schemas */
const namesOf = schemas =>
  Object.entries(schemas)
    .map(([name, { title }]) => `${PROGRAM} schema ${name.padEnd(8)} ${title}\n`)
    .join('')

/**
 * schemaCommand prints a JSON Schema, or which there are.
 *
 * @param {Arguments} args
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function schemaCommand({ options, words }, surroundings) {
  const scenarios = await allScenarios()
  const files = await Promise.all(scenarios.map(async ({ schemas }) => (await schemas()).files?.()))
  const schemas = /** @type {Record<string, { title?: string }>} */ (
    Object.assign({}, await jsonSchemas(scenarios), ...files)
  )
  const [name, ...more] = words
  const strange = [...more, ...Object.keys(options).map(option => `--${option}`)]
  const problems = [
    ...(name === undefined || Object.hasOwn(schemas, name)
      ? []
      : [{ flag: name, value: '', allowed: choice(Object.keys(schemas)).allowed }]),
    ...strange.map(flag => ({ flag, value: '', allowed: 'has no use here' }))
  ]
  if (problems.length > 0) return refuse('schema', problems, surroundings)
  surroundings.stdout.write(
    name === undefined ? namesOf(schemas) : `${JSON.stringify(schemas[name], null, 2)}\n`
  )
  return EXIT.DONE
}
