/** @typedef {{ by: readonly string[], inner: object | null }} Layers - `inner`: null: the component itself was changed */

/** @type {WeakMap<object, Layers>} by what stands around */
const LAYERS = new WeakMap()

/**
 * around puts a component of ours around one of libp2p, so that it can be told afterwards what stands there: see node-settings.js.
 *
 *     streamMuxers: [around(coalescingMuxer, yamux(), guard)]
 *
 * @template {any[]} M
 * @param {(make: any, ...more: M) => (components: any) => any} wrap - gives the factory of the outer component for that of the inner one
 * @param {(components: any) => any} make
 * @param {M} more
 * @returns {(components: any) => any}
 */
export function around(wrap, make, ...more) {
  return components => {
    /** @type {any} */
    let inner
    const keeping = (/** @type {any} */ given) => {
      inner = make(given)
      return inner
    }
    const outer = wrap(keeping, ...more)(components)
    const within = layersOf(inner)
    LAYERS.set(outer, {
      by: [wrap.name, ...within.by],
      inner: within.inner === outer ? null : within.inner
    })
    return outer
  }
}

/**
 * layersOf says what stands around a component.
 *
 * @param {any} component
 * @returns {{ by: readonly string[], inner: any }} `by`: names of the functions that put it there, the outermost first; `inner`: the
 *   component itself
 */
export function layersOf(component) {
  const { by, inner } = LAYERS.get(component) ?? { by: [], inner: null }
  return { by, inner: inner ?? component }
}
