// Preloaded by replacing(): what is behind the question mark says which sources are loaded in the place of which modules.
import { register } from 'node:module'

const { search } = new URL(import.meta.url)
register('./replace-hooks.js', import.meta.url, {
  data: JSON.parse(decodeURIComponent(search.slice(1)))
})
