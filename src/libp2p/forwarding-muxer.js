/** @typedef {import('@libp2p/interface').StreamMuxer} StreamMuxer */

/**
 * ForwardingMuxer is a muxer that hands everything on to another one. Listeners are added to that other muxer itself. Extend it to change
 * how streams begin.
 *
 * @implements {StreamMuxer}
 */
export class ForwardingMuxer {
  /** @param {StreamMuxer} muxer */
  constructor(muxer) {
    this.muxer = muxer
  }

  get protocol() {
    return this.muxer.protocol
  }

  get status() {
    return this.muxer.status
  }

  get streams() {
    return this.muxer.streams
  }

  /** @param {Parameters<StreamMuxer['close']>} args */
  close(...args) {
    return this.muxer.close(...args)
  }

  /** @param {Error} error */
  abort(error) {
    this.muxer.abort(error)
  }

  /** @param {string} type */
  listenerCount(type) {
    return this.muxer.listenerCount(type)
  }

  /** @param {Event} event */
  dispatchEvent(event) {
    return this.muxer.dispatchEvent(event)
  }

  /** @param {Parameters<StreamMuxer['safeDispatchEvent']>} args */
  safeDispatchEvent(...args) {
    return this.muxer.safeDispatchEvent(...args)
  }

  /** @param {[type: any, listener: any, options?: any]} args */
  addEventListener(...args) {
    /** @type {any} */
    this.muxer.addEventListener(...args)
  }

  /** @param {[type: any, listener: any, options?: any]} args */
  removeEventListener(...args) {
    /** @type {any} */
    this.muxer.removeEventListener(...args)
  }

  /** @param {Parameters<StreamMuxer['createStream']>} args */
  createStream(...args) {
    return this.muxer.createStream(...args)
  }
}
