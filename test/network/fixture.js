import { readFileSync } from 'node:fs'

/** @param {string} name - of a file in fixtures/topology */
const fixtureText = name => readFileSync(new URL(`../../fixtures/topology/${name}`, import.meta.url), 'utf8')

/** @param {string} name - of a JSON file in fixtures/topology */
export const fixture = name => JSON.parse(fixtureText(name))
