import { chosen } from '../../measure/figure.js'
import { GOSSIP_COMPARED, GOSSIP_FIGURES } from '../gossip/figures.js'

/** ROTATE_GOSSIP_COMPARED is what comparisons of such networks go by. @type {import('../../measure/figure.js').Comparable<any>} */
export const ROTATE_GOSSIP_COMPARED = {
  ...GOSSIP_COMPARED,
  figures: chosen(GOSSIP_FIGURES, [
    ...['latency.p50', 'latency.p99', 'deliveryRatio', 'cpuPerDelivery', 'memory']
  ]),
  commands: /** @type {[string, string][]} */ ([
    [
      'two stacks while nodes come and go',
      "ab rotation '--stack libp2p-3' '--stack libp2p-2' --duration 1m --rotateEvery 5s"
    ]
  ])
}
