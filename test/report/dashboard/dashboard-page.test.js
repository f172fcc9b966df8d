import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { parse } from 'acorn'
import { dashboardPage } from '../../../src/report/dashboard/dashboard-page.js'

test('the page runs the scripts that were written into it, asks nobody but its server, and loads nothing', () => {
  const page = dashboardPage()
  const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
  const scripts = [...page.matchAll(/<script( type="module")?>([\s\S]*?)<\/script>/g)]
  assert.equal(scripts.length, 2)
  for (const [, kind, text] of scripts) {
    assert.ok(policy.includes(`'sha256-${createHash('sha256').update(text).digest('base64')}'`))
    // files that stand under one another have no name twice
    parse(text, { ecmaVersion: 'latest', sourceType: kind === undefined ? 'script' : 'module' })
  }
  assert.match(policy, /^default-src 'none'; .*; connect-src 'self'$/)
  assert.ok(page.length < 150_000, `${page.length}`)
})
