import { copyButton, made } from './parts.js'

/** commands puts a button beside each command to copy. */
export function commands() {
  for (const block of document.querySelectorAll('pre')) {
    const text = block.textContent ?? ''
    block.after(made('p', { class: 'tools' }, [copyButton(() => text)]))
  }
}
