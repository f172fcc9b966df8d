import { chosen } from '../../measure/figure.js'
import { GOSSIP_COMPARED, GOSSIP_FIGURES } from '../gossip/figures.js'

/** ROTATE_GOSSIP_COMPARED is what comparisons of such networks go by. @type {import('../../measure/figure.js').Comparable<any>} */
export const ROTATE_GOSSIP_COMPARED = {
  ...GOSSIP_COMPARED,
  figures: chosen(GOSSIP_FIGURES, [
    ...['latency.p50', 'latency.p99', 'deliveryRatio', 'cpuPerDelivery', 'memory']
  ]),
  commands: []
}
