import { keptNames } from './asked-marks.js'
import { dressed } from './theme.js'

/**
 * @typedef {import('./theme.js').Spec} Spec
 *
 * @typedef {(spec: Spec, look: { width: number, height: number }) => Promise<string>} Render - to SVG
 */

/** A hundredth of a pixel is enough. @param {string} attribute */
const rounded = attribute => attribute.replace(/(\.\d\d)\d+/g, '$1')

/** What Vega writes that says nothing in a picture without a script. @type {[RegExp, string][]} */
const SUPERFLUOUS = [
  [/<text [^>]*opacity="0"[^>]*>[^<]*<\/text>|<text [^>]*\/>/g, ''],
  [/ (?:role|aria-[a-z]+|pointer-events|font-family|stroke-miterlimit|xmlns:xlink|version)="[^"]*"/g, ''],
  [/ (?:opacity="1"|stroke-width="1"|transform="translate\(0,0\)")/g, ''],
  [/<path class="(?:background|foreground)"[^>]*\/>/g, ''],
  [/<rect width="\d+" height="\d+" fill="white"\/>/g, ''],
  [/ class="mark-(\w+) role-[\w-]+(?: [\w-]+)?"/g, ' class="$1"']
]

/** @param {string} svg */
const slim = svg =>
  SUPERFLUOUS.reduce((text, [what, by]) => text.replace(what, by), keptNames(svg)).replace(
    / (?:transform|d)="[^"]*"/g,
    rounded
  )

/** A warning about a specification is a mistake of ours. */
const STRICT = {
  level: () => STRICT,
  /** @param {any[]} texts @returns {never} */
  warn(...texts) {
    throw new Error(`plot: ${texts.join(' ')}`)
  },
  /** @param {any[]} texts @returns {never} */
  error(...texts) {
    throw new Error(`plot: ${texts.join(' ')}`)
  },
  info: () => STRICT,
  debug: () => STRICT
}

/**
 * loadRenderer imports Vega, which takes a while and is needed only where there are plots.
 *
 * @returns {Promise<Render>}
 */
export async function loadRenderer() {
  const [vega, { compile }] = await Promise.all([import('#vega'), import('#vega-lite')])
  return async (spec, look) => {
    const { spec: compiled } = compile(/** @type {any} */ (dressed(spec, look)), {
      logger: /** @type {any} */ (STRICT)
    })
    const view = new vega.View(vega.parse(compiled), { renderer: 'none' })
    try {
      return slim(await view.toSVG())
    } finally {
      view.finalize()
    }
  }
}
