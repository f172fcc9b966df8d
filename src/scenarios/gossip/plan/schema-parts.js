import { z } from 'zod'
import { GOSSIPSUB_PARAMS } from './gossipsub-params.js'

const gossipsub = z
  .record(z.string(), z.union([z.number(), z.boolean(), z.array(z.string())]))
  .describe("parameters of gossipsub other than the library's defaults, by the library's names")

/** PARAMS says how parameters of gossipsub stand in a plan. */
export const PARAMS = { without: GOSSIPSUB_PARAMS, more: { gossipsub } }
