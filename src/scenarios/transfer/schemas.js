import { z } from 'zod'
import { planSchema } from '../../plan/plan-schema.js'
import { text } from '../../result/schema-parts.js'
import { TRANSFER_OPTIONS } from './plan/transfer-options.js'
import { way } from './transfer-schema.js'

export { transferOutcome as outcome } from './transfer-schema.js'

/** plan of transfers, as it stands in a result. */
export const plan = planSchema(
  { name: 'transfer', options: TRANSFER_OPTIONS },
  {
    without: { compareHttp: true, compareLibp2pHttp: true },
    more: { ways: z.array(way), leftOut: z.array(z.looseObject({ way: text, why: text })) }
  }
)
