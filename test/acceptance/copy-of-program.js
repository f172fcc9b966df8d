import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { newFolder } from './loadtest.js'
import { ROOT } from './program.js'

/**
 * copyWithout makes a copy of the program beside which some packages are not installed.
 *
 * @param {string[]} left - packages, or whole scopes
 */
export async function copyWithout(left) {
  const folder = await newFolder()
  for (const each of ['index.js', 'package.json', 'src'])
    await cp(join(ROOT, each), join(folder, each), { recursive: true })
  const [from, to] = [ROOT, folder].map(root => join(root, 'node_modules'))
  await mkdir(to)
  for (const name of await readdir(from)) {
    if (left.includes(name)) continue
    const scoped = left.filter(each => each.startsWith(`${name}/`)).map(each => each.slice(name.length + 1))
    if (scoped.length === 0) await symlink(join(from, name), join(to, name))
    else {
      await mkdir(join(to, name))
      for (const inner of await readdir(join(from, name)))
        if (!scoped.includes(inner)) await symlink(join(from, name, inner), join(to, name, inner))
    }
  }
  return { folder, index: join(folder, 'index.js') }
}
