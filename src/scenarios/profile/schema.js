import { z } from 'zod'
import { count, number, text } from '../../result/schema-parts.js'
import { CATEGORIES } from './call-tree.js'

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

/** @type {z.ZodType<import('./hot-spots.js').FoldedCall, import('./hot-spots.js').FoldedCall>} */
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

/** @type {z.ZodType<import('./hot-spots.js').FoldedAllocation, import('./hot-spots.js').FoldedAllocation>} */
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

/** SAMPLED is what processes spent their CPU time on and what they allocated, where a plan has --profile. */
export const SAMPLED = {
  profile: z
    .looseObject({
      hotSpots,
      folded: folded.describe('for the flame graph'),
      files: z.array(text).describe('.cpuprofile files in the folder of the run'),
      workers: z.array(count).describe('numbers of the processes that were sampled'),
      intervalMicros: number
    })
    .nullable()
    .optional()
    .describe('while the run was measured; absent, null: no CPU time was sampled'),
  allocations: z
    .looseObject({
      samples: count,
      bytes: number.describe('allocated on the heaps of all sampled processes, garbage included'),
      ...allShares,
      folded: foldedAllocation.describe('for the flame graph'),
      files: z.array(text).describe('.heapprofile files in the folder of the run'),
      workers: z.array(count),
      intervalBytes: number
    })
    .optional()
    .describe('while the run was measured, where --profile has heap; shares are of the bytes')
}

/** profilesOutcome is that of a run whose processes are of several kinds. */
export const profilesOutcome = z
  .array(z.looseObject({ of: z.enum(['server', 'workers']), ...SAMPLED }))
  .optional()
  .describe('with --profile: what was sampled of our server and of the worker processes')
