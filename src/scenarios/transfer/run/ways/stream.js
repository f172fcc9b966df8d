import { CID } from 'multiformats/cid'
import { carOf } from '../car.js'
import { takeCar } from '../take-car.js'
import { streamWay } from './stream-way.js'

/** WAY: the file as a CAR on one raw stream. */
export const WAY = streamWay({
  protocol: '/libp2p-loadtest/transfer/stream/1.0.0',
  written: ({ root }, blocks) => carOf(CID.parse(root), blocks),
  taken: takeCar
})
