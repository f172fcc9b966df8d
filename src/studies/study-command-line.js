import { PROGRAM } from '../kit/program.js'
import { quoted } from '../plan/plan-flags.js'
import { comparisonCommandLine } from '../report/repeat.js'
import { matrixCommandLine } from './matrix/matrix-command-line.js'
import { qaCommandLine } from './qa/qa-command-line.js'
import { saturationCommandLine } from './saturation/saturation-command-line.js'

/**
 * @typedef {import('../scenarios/index.js').FindScenario} FindScenario
 * @typedef {import('../scenarios/scenario.js').Scenario} Scenario
 */

/**
 * Those that are made from plans need the scenario of one.
 *
 * @type {Readonly<Record<import('./folder-kind.js').StudyKind, (document: any, find: FindScenario) => string | Promise<string>>>}
 */
const LINES = {
  matrix: matrixCommandLine,
  comparison: async (document, find) =>
    comparisonCommandLine(document, await scenarioOf(document.sides[0].plan, find)),
  saturate: saturationCommandLine,
  qa: qaCommandLine
}

/** @param {{ scenario: string }} plan @param {FindScenario} find */
const scenarioOf = async ({ scenario }, find) => /** @type {Scenario} */ (await find(scenario))

/**
 * studyCommandLine makes a study again.
 *
 * @param {import('./folder-kind.js').StudyKind} kind
 * @param {object} document - of it
 * @param {FindScenario} find
 * @returns {Promise<string>}
 */
export const studyCommandLine = async (kind, document, find) => LINES[kind](document, find)

/**
 * Commands, after the program's name, that go on with a study.
 *
 * @type {Readonly<Record<import('./folder-kind.js').StudyKind, (document: any) => string>>}
 */
const COMMANDS = {
  matrix: () => 'matrix',
  comparison: ({ sides }) => `ab ${sides[0].plan.scenario}`,
  saturate: ({ scenario }) => `saturate ${scenario}`,
  qa: ({ scenario }) => `qa ${scenario}`
}

/**
 * resumeCommandLine goes on with a study.
 *
 * @param {import('./folder-kind.js').StudyKind} kind
 * @param {any} document - of it
 * @param {{ folder: string, find: FindScenario }} where - it is
 * @returns {Promise<string>}
 */
export async function resumeCommandLine(kind, document, { folder, find }) {
  // runs of one plan are gone on with by the command of the plan
  const line =
    document.sides?.length === 1
      ? await studyCommandLine(kind, document, find)
      : `${PROGRAM} ${COMMANDS[kind](document)}`
  return `${line} --resume ${quoted(folder)}`
}
