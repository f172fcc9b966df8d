import { z } from 'zod'
import { lineSchema } from './line-schema.js'
import { run, text } from './schema-parts.js'

/** @typedef {import('../scenarios/scenario.js').Documents & { name: string }} Scenario */

/** SCHEMA_VERSION of the results that this version writes. Only a change that old readers would misread counts it up. */
export const SCHEMA_VERSION = 2

/** What every result has, around its plan and outcome. */
const around = {
  schemaVersion: z.literal(SCHEMA_VERSION),
  id: text.describe("also the name of the run's folder"),
  status: z.enum(['complete', 'partial']),
  reason: z.looseObject({ code: text, message: text }).nullable().describe('why it is partial'),
  run: run.describe('what differs from run to run')
}

const OUTCOME = 'what the plan determines or what was measured of the target'

/**
 * resultSchema describes the result of one run of a scenario. What a later version adds is let through.
 *
 * @param {Scenario} scenario
 */
export async function resultSchema({ name, schemas }) {
  const { plan, outcome } = await schemas()
  return z.looseObject({
    ...around,
    scenario: z.literal(name),
    plan,
    outcome: outcome.describe(OUTCOME)
  })
}

/**
 * jsonSchemas gives the JSON Schema (draft 2020-12) of what is written into files, by name.
 *
 * @param {readonly Scenario[]} scenarios
 * @returns {Promise<{ result: object, plan: object, line: object }>}
 */
export async function jsonSchemas(scenarios) {
  const results = await Promise.all(scenarios.map(resultSchema))
  const plans = results.map(({ shape }) => shape.plan)
  return {
    result: {
      title: 'Result of a run of libp2p-loadtest',
      ...z.toJSONSchema(z.discriminatedUnion('scenario', /** @type {any} */ (results)))
    },
    plan: {
      title: 'Plan of a run of libp2p-loadtest',
      ...z.toJSONSchema(z.union(/** @type {any} */ (plans)))
    },
    line: { title: 'Line of --jsonLines', ...z.toJSONSchema(lineSchema) }
  }
}
