// Takes away what prepack.js made: npm goes by npm-shrinkwrap.json where there is one, and tsc by declarations.
import { rmSync } from 'node:fs'

for (const made of ['npm-shrinkwrap.json', 'dist'])
  rmSync(new URL(`../../${made}`, import.meta.url), { recursive: true, force: true })
