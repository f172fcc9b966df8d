import { z } from 'zod'
import { GOSSIPSUB_PARAMS } from './gossipsub-params.js'

const gossipsub = z
  .record(z.string(), z.union([z.number(), z.boolean()]))
  .describe("parameters of gossipsub other than the library's defaults, by the library's names")

/** PARAMS says how parameters of gossipsub stand in a plan. */
export const PARAMS = { without: GOSSIPSUB_PARAMS, more: { gossipsub } }

/** PARAMS_AND_AUTO_RATE says how a rate that is to be found does, too. */
export const PARAMS_AND_AUTO_RATE = {
  ...PARAMS,
  more: {
    ...PARAMS.more,
    ratePerSecond: z
      .number()
      .positive()
      .nullable()
      .describe('messages of the whole network; null: with autoRate, or nodes publish in their own time'),
    autoRate: z.boolean().describe('the rate that is carried is to be found')
  }
}
