/** Phone first; all pairs of colors have a contrast of at least 4.5 (AA). */
export const STYLE = `
:root { color-scheme: light dark; --page: #f3f5f7; --card: #fff; --text: #1b2530; --soft: #55606b; --line: #6f7a85; --main: #0b6b4b; --on-main: #fff; }
@media (prefers-color-scheme: dark) { :root { --page: #10161b; --card: #1a232b; --text: #eef2f5; --soft: #aab6c1; --line: #8b97a3; --main: #5fd0a5; --on-main: #06241a; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; padding: 1rem; background: var(--page); color: var(--text); font: 1.0625rem/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 8vh auto 0; padding: 1.5rem; border-radius: 1rem; background: var(--card); }
h1 { margin: 0 0 1rem; font-size: 1.25rem; line-height: 1.3; }
p { margin: 0 0 1rem; }
.question { white-space: pre-wrap; overflow-wrap: anywhere; }
.soft { margin: 1rem 0 0; color: var(--soft); font-size: .9375rem; }
label { display: block; margin-bottom: 1rem; }
textarea { display: block; width: 100%; min-height: 4.5rem; margin-top: .375rem; padding: .625rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); color: inherit; font: inherit; }
button { display: block; width: 100%; min-height: 3rem; margin-top: .75rem; padding: .5rem 1rem; border: 2px solid var(--main); border-radius: .5rem; background: var(--card); color: var(--main); font: inherit; font-weight: 600; overflow-wrap: anywhere; cursor: pointer; }
button.main { background: var(--main); color: var(--on-main); }
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
`;

/** The page works without it: it only keeps a double click from being two answers. */
export const SCRIPT = `
let sent = false;
document.forms[0].addEventListener('submit', (event) => {
	if (sent) event.preventDefault();
	sent = true;
	setTimeout(() => { sent = false; }, 5000);
});
`;
