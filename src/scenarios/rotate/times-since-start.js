import { z } from 'zod'
import { count, summary } from '../../result/schema-parts.js'

/** timesSinceStart are those of all that were started meanwhile. */
export const timesSinceStart = z.looseObject({
  ...summary.shape,
  never: count
    .optional()
    .describe(
      'of these, before their kill or the end: of theirs all that is known is that they would be longer. Absent in older results, which left them out'
    )
})
