import { present } from '../../../kit/lists.js'

/**
 * @typedef {import('../../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('../../../plan/scale.js').Scales} Scales
 * @typedef {import('../../../report/view.js').View} View
 */

const TOOL = 'libp2p-loadtest'

/** @param {string[]} texts */
const distinct = texts => [...new Set(texts)].join('; ')

/** @param {AnyResult[]} results */
function dates(results) {
  const days = results.map(({ run }) => run.startedAt.slice(0, 10)).sort()
  return [...new Set([days[0], days[days.length - 1]])].join(' to ')
}

/** @param {AnyResult} result */
function machine({ run: { machine } }) {
  const { cpu, cores, memoryBytes, platform, arch } = machine
  return `${cores} × ${cpu}, ${(memoryBytes / 1e9).toFixed(1)} GB, ${platform} ${arch}`
}

/** @param {AnyResult} result */
function versions({ run: { versions } }) {
  const { [TOOL]: tool, node, ...packages } = versions
  const named = Object.entries(packages).map(([name, version]) => `${name} ${version}`)
  return `${[`${TOOL} ${tool}`, `Node ${node}`.replace('Node v', 'Node '), ...named].join(', ')}`
}

/** @param {AnyResult[]} results @param {View} view */
function measured(results, { matrix }) {
  if (results.length === 0) return ['- Nothing was measured yet.']
  return [
    `- Date: ${dates(results)}`,
    `- Machine: ${distinct(results.map(machine))}`,
    `- Versions: ${distinct(results.map(versions))}`,
    ...matrix.setting(results)
  ]
}

/** @param {TableRecord} table */
function published({ source, differences, rows }) {
  const beside = rows.some(({ reference }) => reference !== null)
  const apart = rows.some(({ atAnotherRate }) => atAnotherRate !== null)
  if (!beside && !apart) return []
  const where = present([
    beside && 'stand behind a slash: *measured / published*.',
    apart &&
      `${beside ? 'Those of cases' : 'are of cases'} that ran at another rate${beside ? '' : ': they'} stand in a column of their own: they cannot be held against what was measured.`
  ])
  return [
    '',
    `**Published figures** ${where.join(' ')} They come from ${source ?? 'the matrix file'}. They are not like for like, and no factor between the two means anything:`,
    '',
    ...differences.map(difference => `- ${difference}`)
  ]
}

/** @param {Scales} scales @param {View} view */
function scaled({ scale = 1, scaleTime = 1, scaleRate = 1 }, { matrix: { words } }) {
  const { work, members } = words
  const said = present([
    scale !== 1 &&
      `**Scale ${scale}**: fewer ${work} and less time than the cases ask for, with the same ${members}.`,
    scaleTime !== 1 && `**Scale of time ${scaleTime}**: shorter than the cases ask for.`,
    scaleRate !== 1 && `**Scale of rates ${scaleRate}**: fewer ${work} a second than the cases ask for.`
  ])
  return said.length === 0 ? [] : ['', `${said.join(' ')} These are trial figures.`]
}

/**
 * matrixHead says what stands in the table of a matrix: what was measured, how, on what, and what it must not be taken for.
 *
 * @param {TableRecord} table
 * @param {AnyResult[]} results - of its rows, as far as there are any
 * @param {Scales} scales
 * @param {View} view
 * @returns {string[]} lines
 */
export const matrixHead = (table, results, scales, view) => [
  `# ${table.title}`,
  '',
  ...(table.description === '' ? [] : [table.description, '']),
  '**Measured**',
  '',
  ...measured(results, view),
  ...scaled(scales, view),
  ...published(table)
]
