import { z } from 'zod'
import { count, figure, histogram, number, summary, text } from '../../result/schema-parts.js'
import { gossipOutcome } from '../gossip/gossip-schema.js'
import { timesSinceStart } from '../rotate/times-since-start.js'

const life = z.looseObject({
  node: count.describe('each node that is started has a number and an identity of its own'),
  slot: count.describe('the node of the beginning whose place it took'),
  startDueMs: figure.describe('since publishing began; null: it was there from the beginning'),
  startedMs: figure,
  connectedMs: figure.describe('when its dials had ended, at least one of them well'),
  firstDeliveryMs: figure,
  killDueMs: figure.describe('null: it was to stay'),
  killedMs: figure,
  dialsFailed: count,
  error: text.nullable()
})

const lives = z.looseObject({
  started: count.describe('nodes that took the place of a killed one'),
  killed: count,
  failed: count.describe('starts that led to no connection'),
  latestMs: number.describe('how late a kill or a start was at most'),
  listed: z.array(life),
  listedAll: z.boolean()
})

const apartCount = z.looseObject({ expected: count, delivered: count })

const apart = z.looseObject({
  joining: apartCount.describe('published less than settleMs after the start of the receiver'),
  leaving: apartCount.describe('published less than 1 s before the receiver was killed'),
  earlier: z.looseObject({ delivered: count }).describe('published before the receiver was started'),
  gone: z.looseObject({ delivered: count }).describe('published after the receiver was to be killed')
})

const duplicates = z.looseObject({
  observations: count.describe('receipts in all'),
  afterRestart: count.describe('the node that had this place before had received it already'),
  again: count.describe('the very same node had received it already'),
  tooLongAgo: count,
  latency: z.looseObject({ withDuplicates: summary, withoutDuplicates: summary })
})

const spread = z.looseObject({ nodes: count, min: count, avg: number, max: count }).nullable()

/** rotateGossipOutcome is what was measured of a gossip network whose nodes rotate. */
export const rotateGossipOutcome = gossipOutcome.extend({
  rotation: z
    .looseObject({
      lives,
      connect: timesSinceStart.describe('from the start of a node to the end of its dials'),
      firstDelivery: timesSinceStart.describe('from the start of a node to the first message it received'),
      firstDeliveryHistogram: histogram,
      deliveriesPerMinute: figure,
      apart,
      duplicates,
      peers: z.array(z.looseObject({ atMs: number, stable: spread, ephemeral: spread }))
    })
    .nullable()
    .describe('null: nothing was published')
})
