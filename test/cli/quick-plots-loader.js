const RENDER = new URL('../../src/kit/plots/render.js', import.meta.url).href
const QUICK = new URL('./quick-render.js', import.meta.url).href

/** resolve puts a renderer that draws nothing in the place of that of plots. @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  return found.url === RENDER ? { ...found, url: QUICK } : found
}
