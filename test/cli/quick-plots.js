import { register } from 'node:module'

// A command that makes many runs draws the plots of as many pages, and Vega would be what its tests take time for: test/report has
// tests of what is drawn, test/acceptance of whole pages. Whatever is imported after this module gets the other renderer.
register('./quick-plots-loader.js', import.meta.url)
