import { z } from 'zod'
import { figure, limitedBy, number, run, text, threshold, time } from './schema-parts.js'

/** What every line has. */
const any = {
  at: time.describe('when it was written'),
  run: text.describe("id of the run, also the name of its folder; of a line of a study, the study's")
}

/** What lines of runs have. */
const ofRun = {
  ...any,
  label: text.optional().describe('which run of a study: its row, its place')
}

const reason = z.looseObject({ code: text, message: text }).nullable()

const figures = z
  .record(text, number)
  .describe('by the names that thresholds have, in the unit of each; those that there are')

const lost = {
  atLeast: z.array(text).describe('names of figures that operations without a reply reach into')
}

const start = z.looseObject({
  type: z.literal('start'),
  ...ofRun,
  schemaVersion: z.literal(2),
  index: number.optional().describe('of the run in a study, from 1'),
  total: number.optional().describe('runs that the study makes, as far as it is known'),
  scenario: text,
  says: text.optional().describe('what is sent, by whom and where to, in words'),
  plan: z.looseObject({}).describe('as in result.json'),
  units: z.record(text, text).describe('of figures, by their names: ms, /s, %, MB; empty: a bare number')
})

const phase = z.looseObject({
  type: z.literal('phase'),
  ...ofRun,
  phase: text,
  title: text.optional().describe('of the phase, in words'),
  state: z.enum(['begin', 'done', 'failed']),
  atMs: number.describe('since the run began'),
  detail: text.optional()
})

const progress = z.looseObject({
  type: z.literal('progress'),
  ...ofRun,
  phase: text,
  done: number,
  total: figure.describe('null: not known'),
  unit: text.describe('of done and total'),
  ratePerSecond: number.optional().describe('just now; so for all that follows'),
  p50Ms: number.optional(),
  p99Ms: number.optional(),
  cpuPercent: figure.optional().describe('of what is under test; null: not known'),
  rssBytes: figure.optional(),
  etaMs: figure.optional().describe('of the phase')
})

const sample = z.looseObject({
  type: z.literal('sample'),
  ...ofRun,
  figures: figures.describe('of the measurement so far, by name: those that can be told while it goes on'),
  ...lost,
  utilizations: z.array(number).describe('of the event loop of each worker process, 0 to 1'),
  thresholds: z.array(threshold).describe('those that can be judged already')
})

const warning = z.looseObject({
  type: z.literal('warning'),
  ...ofRun,
  code: text,
  message: text
})

const end = z.looseObject({
  type: z.literal('end'),
  ...ofRun,
  status: z.enum(['complete', 'partial']),
  reason: reason.describe('why it is partial'),
  figures,
  ...lost,
  limitedBy: limitedBy.optional(),
  thresholds: z.array(threshold),
  warnings: z.array(text).describe('their codes'),
  folder: text.describe('that the run has: all else stands in its result.json')
})

const study = z.looseObject({
  type: z.literal('study'),
  ...any,
  state: z.enum(['begin', 'end']),
  status: z.enum(['running', 'complete', 'partial']),
  reason: reason.describe('why it is partial'),
  folder: text
})

/** lineSchema describes a line of --jsonLines. What a later version adds is let through. */
export const lineSchema = z.discriminatedUnion('type', [start, phase, progress, sample, warning, end, study])

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
