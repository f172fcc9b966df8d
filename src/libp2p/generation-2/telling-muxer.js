/**
 * @typedef {object} MuxerInit
 * @property {(stream: any) => void} [onStreamEnd]
 *
 * @typedef {{ protocol: string, createStreamMuxer: (init?: MuxerInit) => unknown }} MuxerFactory
 */

/**
 * tellingMuxer makes a multiplexer of generation 2 tell of each stream that has ended: such streams have no events.
 *
 * @param {(components: any) => any} muxer
 * @param {(stream: object) => void} onStreamEnd
 * @returns {(components: any) => any}
 */
export const tellingMuxer = (muxer, onStreamEnd) => components => {
  /** @type {MuxerFactory} */
  const factory = muxer(components)
  return new Proxy(factory, {
    get(target, name) {
      if (name !== 'createStreamMuxer') return Reflect.get(target, name)
      return (/** @type {MuxerInit} */ init) =>
        target.createStreamMuxer({
          ...init,
          onStreamEnd: stream => {
            init?.onStreamEnd?.(stream)
            onStreamEnd(stream)
          }
        })
    }
  })
}
