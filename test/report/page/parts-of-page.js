/**
 * partsOf takes a page apart: what is read, what runs, and what it may run by.
 *
 * @param {string} page
 */
export function partsOf(page) {
  /** @type {string[]} */
  const scripts = []
  const read = page.replace(/<script(?: type="module")?>([\s\S]*?)<\/script>\n/g, (_, script) => {
    scripts.push(script)
    return ''
  })
  return { read, scripts, policy: /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '' }
}

/** Data of plots stand in blocks that no browser runs. @param {string} page */
export const withoutData = page =>
  page.replace(/<script type="application\/json"(?: class="marks")?>[^<]*<\/script>\n/g, '')

/** asRead is a page as it is without a script. @param {string} page */
export const asRead = page => withoutData(partsOf(page).read)
