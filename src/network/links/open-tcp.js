import { LosslessSending } from './lossless-sending.js'
import { TcpSending } from './tcp-sending.js'

/**
 * openTcp opens the sender's half of one way of a TCP connection.
 *
 * @param {import('./tcp-sending.js').TcpParts} parts
 * @param {import('./direction.js').Far} far
 * @returns {import('./direction.js').Sending}
 */
export function openTcp(parts, far) {
  const { path, lossShare, answerLossShare = lossShare, cut } = parts
  const isLossless = lossShare === 0 && answerLossShare === 0 && cut === null && !path.endsInQueue
  return isLossless ? new LosslessSending(parts, far) : new TcpSending(parts, far)
}
