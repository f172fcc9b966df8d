import { present, spread } from '../../kit/lists.js'
import { rateWords } from '../../kit/rate-words.js'
import { overlay } from '../../report/description/overlay.js'
import { facts } from '../../report/description/tables.js'
import { describeGrid } from './describe-grid.js'
import { describeSearch } from './describe-search.js'
import { saturationHeadline } from './headline.js'
import { networkNeeds } from './network-servers.js'
import { measuredCells } from './result/measured-cells.js'
import { faceOf } from './saturated.js'

/**
 * @typedef {import('./result/trial.js').AnyTrial} AnyTrial
 * @typedef {import('../../report/description/description.js').Description} Description
 * @typedef {import('../../report/description/description.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/description/description.js').DescribedWarning} DescribedWarning
 * @typedef {import('./result/saturation-document.js').SaturationDocument} SaturationDocument
 * @typedef {import('../../report/description/overlay.js').DescribedRun} DescribedRun
 * @typedef {import('./described-trials.js').Parts} Parts
 */

/** More runs laid over each other cannot be told apart. */
const MAX_OVERLAID = 6

/** Servers for a network of peers (--peers). @param {SaturationDocument} document @returns {DescribedTable[]} */
function networkTable(document) {
  const needs = networkNeeds(document)
  if (needs === null) return []
  const share = 100 * needs.headroom
  return [
    {
      ...facts('network', 'Servers for a network', [
        ['Peers', needs.peers, 'count'],
        ['Requests of a peer in a day', needs.requestsPerDay],
        ['Requests/s on average', needs.meanPerSecond],
        [`Requests/s in the busiest hour (× ${needs.peakFactor})`, needs.peakPerSecond],
        ['Connection for each request', needs.connectionPerRequest ? 'yes' : 'no'],
        [`Registrations held (TTL ${needs.ttlSeconds} s)`, needs.held, 'count'],
        ['Registrations of the server measured', needs.heldByServer, 'count'],
        ['Its memory, most, MB', needs.memoryBytes && needs.memoryBytes / 1e6],
        ['Requests/s that one server sustains', needs.sustainedPerSecond],
        ['Of which it is used at, %', share],
        [needs.isBound ? 'Servers, at most' : 'Servers', needs.servers, 'count']
      ]),
      terminal: true,
      note: `Servers: busiest hour ÷ (${needs.headroom} × what one sustains), rounded up, where requests are spread evenly over the hour and the servers, and one server holds all registrations. Add one for a server that is down.`
    }
  ]
}

/** @param {readonly AnyTrial[]} trials @returns {DescribedWarning[]} */
function trialWarnings(trials) {
  const failed = trials.filter(({ status }) => status === 'failed')
  const generatorLimited = trials.filter(({ point }) => point?.generatorLimited === true).length
  return present([
    failed.length > 0 && {
      code: 'RUNS_FAILED',
      text: `${failed.length} of ${trials.length} runs failed, the first one ${failed[0].name}: ${failed[0].reason?.message ?? 'no result'}.`
    },
    generatorLimited > 0 && {
      code: 'RUNS_WITH_WARNINGS',
      text: `${generatorLimited} of ${trials.length} runs carry warnings about the load generator or the machine: times may be too long.`
    }
  ])
}

/**
 * trialsToDescribe are the trials whose plots are laid over each other: at most six, spread over the loads that were tried.
 *
 * @param {Pick<SaturationDocument, 'scenario' | 'options' | 'grid' | 'search'>} document
 * @returns {{ label: string, run: string }[]} `run`: its folder, in that of the study
 */
export function trialsToDescribe({ grid, search, ...document }) {
  const { sizeSign, rateWords: words } = faceOf(document)
  const loads = measuredCells(grid?.cells ?? search?.trials ?? []).sort(
    (a, b) => a.trial.perSecond - b.trial.perSecond || a.size - b.size
  )
  const first = loads.filter(
    (load, i) =>
      load.trial.run !== null &&
      (grid !== null || loads.findIndex(({ trial }) => trial.perSecond === load.trial.perSecond) === i)
  )
  const least = first.slice(0, 1)
  return [...spread(first.slice(1).reverse(), MAX_OVERLAID - 1), ...least]
    .reverse()
    .map(({ trial, ...load }) => ({
      label:
        grid === null
          ? words(trial.perSecond)
          : `r=${rateWords(load.ratePerSecond)}, ${sizeSign}=${load.size}`,
      run: String(trial.run)
    }))
}

/**
 * describeSaturation describes how much load a system sustains: a grid of loads, or a search for the highest rate.
 *
 * @param {SaturationDocument} document
 * @param {{ runs?: readonly DescribedRun[] }} [of] - those of `trialsToDescribe`, described
 * @returns {Description}
 */
export function describeSaturation(document, { runs = [] } = {}) {
  const { grid, search, scenario } = document
  const face = faceOf(document)
  /** @type {Parts} */
  const { tiles, tables, plots, warnings } =
    grid !== null
      ? describeGrid(grid, face, document)
      : search !== null
        ? describeSearch(search, face, document)
        : { tiles: [], tables: [], plots: [], warnings: [] }
  const [answer, others] = [tables.slice(0, 1), tables.slice(1)]
  const trials = grid?.cells ?? search?.trials ?? []
  return {
    title: `${search === null ? 'Saturation grid' : 'Sustainable rate'} of ${scenario}`,
    headline: saturationHeadline(document, face),
    tiles,
    tables: [...answer, ...networkTable(document), ...others].filter(({ rows }) => rows.length > 0),
    plots: [...plots, ...overlay(runs)],
    warnings: [...warnings, ...trialWarnings(trials)]
  }
}
