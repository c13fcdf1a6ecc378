import { escaped } from './html.mts';
import type { Overview } from './overview.mts';

/** The overview for reading in a browser. */
export function helpPage(overview: Overview): string {
	const { baseUrl, description, apiKeys, recipients, templates, commands, webhookUrls, settings } =
		overview;
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Help · Local Business Messaging API</title>
<link rel="icon" href="/phone/icon.svg">
<link rel="stylesheet" href="/phone/base.css">
<link rel="stylesheet" href="/phone/help.css">
</head>
<body>
<main>
<p><a href="/">The customer's phone</a></p>
<h1>Local Business Messaging API</h1>
<p>Base URL: <code>${escaped(baseUrl)}</code>. Its <a href="${escaped(description)}">OpenAPI description</a>.</p>
${section('API keys', table(apiKeys.map(({ key, account, plan }) => [key, `account "${account}", plan ${plan}`])))}
${section('Numbers', table(Object.entries(recipients)))}
${section('Template names', table(Object.entries(templates)))}
${section('Webhook URLs', webhookUrls.map(pre).join(''), 'None yet.')}
${section('Commands', Object.entries(commands).map(commandBlock).join(''))}
${section('Settings', pre(JSON.stringify(settings, null, 2)))}
</main>
</body>
</html>
`;
}

function section(title: string, content: string, whenEmpty = ''): string {
	return `<section><h2>${escaped(title)}</h2>${content || `<p>${escaped(whenEmpty)}</p>`}</section>`;
}

function table(rows: string[][]): string {
	const cells = ([name, ...texts]: string[]) =>
		`<tr><th scope="row"><code>${escaped(name)}</code></th>${texts.map((text) => `<td>${escaped(text)}</td>`).join('')}</tr>`;
	return rows.length > 0 ? `<table>${rows.map(cells).join('')}</table>` : '';
}

function commandBlock([title, command]: [string, string]): string {
	return `<h3>${escaped(title)}</h3>${pre(command)}`;
}

function pre(text: string): string {
	return `<pre tabindex="0">${escaped(text)}</pre>`;
}
