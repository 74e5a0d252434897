import { render } from 'preact';
import { login } from './api.js';
import { App } from './app.js';
import { listen } from './live.js';
import { followLinks } from './router.js';
import { needsKey, takeCode } from './session.js';
import './styles/base.css';
import './styles/shell.css';
import './styles/search.css';
import './styles/reader.css';
import './styles/views.css';

const root = document.getElementById('app')!;
const code = takeCode();
// A code that was used already (a reloaded address) is no reason to stop: the tab may have its token.
if (code !== null) await login(code).catch(() => needsKey.set('refused'));
followLinks(document.body);
render(<App />, root);
void listen();
