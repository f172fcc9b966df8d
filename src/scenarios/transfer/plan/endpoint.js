/** Where a collector of OTLP takes traces, unless it is said (specification of the OTLP exporter). */
const PATH = '/v1/traces'

/** @param {string} text @returns {string | null} */
function urlOf(text) {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  return url.pathname === '/' ? new URL(PATH, url).href : url.href
}

/** endpoint takes the URL of a collector of OTLP, where traces go to /v1/traces unless a path is given. @returns {import('../../../plan/values.js').Kind} */
export const endpoint = () => ({
  allowed: `must be a URL with http or https, such as http://127.0.0.1:4318 (traces go to ${PATH} there, unless it has a path)`,
  schema: z => z.preprocess(text => urlOf(String(text)), z.string())
})
