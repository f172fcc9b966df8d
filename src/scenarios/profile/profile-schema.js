import { z } from 'zod'
import { count, number, text } from '../../result/schema-parts.js'
import { gossipOutcome } from '../gossip/gossip-schema.js'
import { CATEGORIES } from './measure/category.js'

const category = z.enum(CATEGORIES)

const shares = {
  selfShare: number.describe('of the time that was not idle: it was on top of the stack'),
  totalShare: number.describe('of the time that was not idle: it was anywhere in the stack')
}

const allShares = {
  categories: z.array(z.looseObject({ category, ...shares })),
  packages: z.array(z.looseObject({ package: text, ...shares })),
  functions: z.array(
    z.looseObject({
      function: text,
      package: text,
      category,
      url: text.nullable(),
      line: z.int().nullable(),
      ...shares
    })
  )
}

const hotSpots = z.looseObject({
  samples: count,
  durationMs: number.describe('sampled, the processes added up'),
  busyShare: number,
  idleShare: number,
  ...allShares
})

/** @type {z.ZodType<import('./measure/folded.js').FoldedCall, import('./measure/folded.js').FoldedCall>} */
const folded = z.looseObject({
  name: text,
  package: text,
  category,
  selfMs: number,
  totalMs: number,
  get children() {
    return z.array(folded)
  }
})

/** @type {z.ZodType<import('./measure/allocations.js').FoldedAllocation, import('./measure/allocations.js').FoldedAllocation>} */
const foldedAllocation = z.looseObject({
  name: text,
  package: text,
  category,
  selfBytes: number,
  totalBytes: number,
  get children() {
    return z.array(foldedAllocation)
  }
})

/** profileOutcome is what was measured of a gossip network, and what the CPU time of its processes was spent on. */
export const profileOutcome = gossipOutcome.extend({
  profile: z
    .looseObject({
      hotSpots,
      folded: folded.describe('for the flame graph'),
      files: z.array(text).describe('.cpuprofile files in the folder of the run'),
      workers: z.array(count).describe('that were sampled'),
      intervalMicros: number
    })
    .nullable()
    .describe('while messages were published; null: no CPU time was sampled'),
  allocations: z
    .looseObject({
      samples: count,
      bytes: number.describe(
        'allocated on the heaps of all sampled workers, what was collected since among it'
      ),
      ...allShares,
      folded: foldedAllocation.describe('for the flame graph'),
      files: z.array(text).describe('.heapprofile files in the folder of the run'),
      workers: z.array(count),
      intervalBytes: number
    })
    .optional()
    .describe('while messages were published, where --profile has heap; shares are of the bytes')
})
