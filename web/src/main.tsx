import { render } from 'preact';
import { call, login } from './api.js';
import { App } from './app.js';
import { listen } from './live.js';
import { followLinks } from './router.js';
import { needsKey, takeCode } from './session.js';
import './styles/base.css';
import './styles/shell.css';
import './styles/search.css';
import './styles/reader.css';
import './styles/views.css';

/** A server that is still opening its library answers later: the page need not wait for it. */
const FIRST_ANSWER_MS = 1000;

const root = document.getElementById('app')!;
const code = takeCode();
// A code that was used already (a reloaded address) is no reason to stop: the tab may have its token.
if (code !== null) await login(code).catch(() => needsKey.set('refused'));
// One question before all others: where a key is needed, nobody else need be refused.
const known = call('who').catch(() => {});
await Promise.race([known, new Promise((resolve) => setTimeout(resolve, FIRST_ANSWER_MS))]);
followLinks(document.body);
render(<App />, root);
void listen();
