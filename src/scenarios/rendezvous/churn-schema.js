import { z } from 'zod'
import {
  count,
  figure,
  histogram,
  number,
  summary,
  text,
  timesSinceStart
} from '../../result/schema-parts.js'

/**
 * @typedef {import('../../result/types.js').Shape<typeof churned>} Churned - what an outcome has of clients that came and went. A *registration* is
 *   of a client in a namespace; registering again renews it. Times in ms since the measurement began, unless said
 * @typedef {Churned['lives']['listed'][number]} PeerLife
 * @typedef {Churned['visible']} Visible
 * @typedef {Churned['left']} LeftByDead
 * @typedef {NonNullable<LeftByDead['expiryLag']>} Spread
 * @typedef {Churned['discovered']} Discovered
 * @typedef {Discovered['withDuplicates']} RecordCount
 * @typedef {Churned['series'][number]} ChurnPoint
 */

const life = z.looseObject({
  node: count.describe(
    'each client that is started has a number of its own and, where it is a new peer, an identity of its own'
  ),
  slot: count.describe('the peer of the beginning whose place it took'),
  startDueMs: figure.describe('since the measurement began; null: it was there from the beginning'),
  startedMs: figure,
  connectedMs: figure,
  registeredMs: figure.describe('in every namespace'),
  firstDiscoveryMs: figure.describe('it was given the record of another peer that was living'),
  killDueMs: figure.describe('null: it was to stay'),
  killedMs: figure,
  error: text.nullable()
})

const lives = z.looseObject({
  started: count.describe('peers that took the place of a killed one'),
  killed: count,
  failed: count.describe('starts that led to no connection'),
  latestMs: number.describe('how late a kill or a start was at most'),
  listed: z.array(life),
  listedAll: z.boolean()
})

const visible = z
  .looseObject({
    registrations: count.describe('first ones of new peers'),
    seen: count,
    beforeReply: count.describe('seen before the reply to REGISTER came, which counts as 0'),
    killedUnseen: count,
    endedUnseen: count,
    delay: z.looseObject({ all: summary, known: summary }),
    histogram,
    censoredHistogram: histogram.nullable()
  })
  .describe('from the reply to REGISTER to the first reply to a DISCOVER of another peer that holds it')

const spread = z.looseObject({ count, min: number, avg: number, median: number, max: number }).describe('ms')

const left = z
  .looseObject({
    registrations: count,
    expired: count.describe('whose time to live was over before the end'),
    unsure: count.describe('cut off while they were renewed: in no figure below'),
    unseen: count.describe('that no reply after the kill held'),
    lastSeenAfterKill: summary,
    lastSeenHistogram: histogram,
    expiryLag: spread.nullable().describe('from the end of the time to live to the last reply with it'),
    overdue: count.describe('given to a DISCOVER that was sent after the end of their time to live')
  })
  .describe('registrations that killed peers left')

const records = z.looseObject({ records: count, stale: count })

const discovered = z.looseObject({
  replies: count,
  withDuplicates: records.describe('all records of other peers; stale: killed before the reply came'),
  withoutDuplicates: records.describe('of each discoverer only the first record of a registration'),
  duplicates: z.looseObject({
    inOneReply: count,
    again: count,
    renewed: count.describe('given again, but the peer has registered again since')
  }),
  own: count,
  unknown: count
})

/** churned is what an outcome has of clients that came and went. */
export const churned = z
  .looseObject({
    lives,
    connect: timesSinceStart.describe('from the start of a peer to its connection'),
    register: timesSinceStart.describe('from the start of a peer until it was registered in every namespace'),
    firstDiscovery: timesSinceStart.describe(
      'from the start of a peer to the first record of another living one'
    ),
    firstDiscoveryHistogram: histogram,
    operationsPerMinute: figure,
    cutOff: count.describe('operations under way when their peer was killed: in no other figure'),
    visible,
    left,
    discovered,
    series: z.array(
      z.looseObject({
        atMs: number,
        server: count.nullable().describe('registrations, as the server counts; null: not known'),
        living: count.describe('registrations of living peers, as they know'),
        dead: count.describe('left by killed ones, whose time to live is not over'),
        replies: count.describe('to DISCOVER, since the point before; so for the others'),
        records: count,
        stale: count
      })
    )
  })
  .describe('of clients that come and go, as with --churn')
