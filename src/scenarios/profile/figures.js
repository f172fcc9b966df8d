import { chosen } from '../../measure/figure.js'
import { GOSSIP_COMPARED, GOSSIP_FIGURES } from '../gossip/figures.js'

/** PROFILE_COMPARED is what comparisons of repeated profiles go by: what the processes that are sampled cost. @type {import('../../measure/figure.js').Comparable<any>} */
export const PROFILE_COMPARED = {
  ...GOSSIP_COMPARED,
  figures: chosen(GOSSIP_FIGURES, ['cpuPerDelivery', 'bytesPerDelivery', 'duplicatesPerDelivery', 'memory']),
  example: '"cpuPerDelivery > +10%"',
  commands: []
}
