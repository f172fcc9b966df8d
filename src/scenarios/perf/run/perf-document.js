import { judgeAll } from '../../../result/thresholds/judge.js'
import { PERF_FIGURES } from '../figures.js'
import { handshakeRow } from '../measure/handshake-row.js'
import { quartiles } from '../measure/quartiles.js'
import { transferRows } from '../measure/transfer-rows.js'
import { waysOf } from '../plan/ways.js'

/**
 * @typedef {import('../perf-types.js').PerfPlan} PerfPlan
 * @typedef {import('../perf-types.js').PerfOutcome} PerfOutcome
 * @typedef {import('../perf-types.js').Transfer} Transfer
 *
 * @typedef {{ openMs: number, exchangeMs: number }} Exchange
 * @typedef {import('../measure/handshake-row.js').HandshakesTold} HandshakesTold
 */

/** PerfDocument keeps what was measured so far. */
export class PerfDocument {
  #plan
  /** @type {Transfer[]} */
  transfers = []
  /** @type {Map<string, Exchange[]>} by way: of --exchanges */
  exchanges = new Map()
  /** roundTrips are the medians of exchanges on an idle connection, ms, by way. @type {Record<string, number>} */
  roundTrips = {}
  /** @type {Map<string, HandshakesTold[]>} by way, of each repeat */
  handshakes = new Map()
  /** joined is what is known of the namespaces of both ends. @type {() => import('../../gossip/gossip-types.js').NamespaceFigures | null} */
  joined = () => null
  /** settings of nodes of ours. @type {import('../../../libp2p/node-settings.js').Settings} */
  settings = {}
  /** measuredMs is how long it was measured for. */
  measuredMs = 0

  /** @param {PerfPlan} plan */
  constructor(plan) {
    this.#plan = plan
  }

  /** @param {Map<string, any[]>} all @param {string} way @param {readonly any[]} more */
  add(all, way, more) {
    all.set(way, [...(all.get(way) ?? []), ...more])
  }

  /** outcome is all of it, with its figures. @returns {PerfOutcome} */
  outcome() {
    const plan = this.#plan
    const { roundTrips } = this
    const measured = {
      target: plan.target,
      settings: this.settings,
      ways: waysOf(plan).map(({ name, kind }) => ({ name, kind })),
      transfers: this.transfers,
      rows: transferRows(plan, this.transfers, roundTrips),
      latency: [...this.exchanges].map(([way, exchanges]) => latencyRow(way, exchanges)),
      handshakes: [...this.handshakes].map(([way, told]) => handshakeRow(way, told, plan, roundTrips[way])),
      measuredMs: this.measuredMs,
      ...(plan.network === 'namespaces' && { namespaces: this.joined() ?? undefined })
    }
    return /** @type {PerfOutcome} */ (
      /** @type {unknown} */ ({
        ...measured,
        thresholds: judgeAll(plan.thresholds, /** @type {any} */ (measured), PERF_FIGURES)
      })
    )
  }
}

/** @param {string} way @param {readonly Exchange[]} exchanges */
const latencyRow = (way, exchanges) => ({
  way,
  open: quartiles(exchanges.map(({ openMs }) => openMs)),
  exchange: quartiles(exchanges.map(({ exchangeMs }) => exchangeMs)),
  both: quartiles(exchanges.map(({ openMs, exchangeMs }) => openMs + exchangeMs))
})
