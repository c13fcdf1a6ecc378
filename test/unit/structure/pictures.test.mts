import { readFileSync } from 'node:fs';

import { BusinessMessagingApi } from '../../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { PICTURED, pictured } from '../../support/pictured.mts';
import { readJson } from './project.mts';

const nodes = [new BusinessMessaging(), new BusinessMessagingTrigger()];
const described = [...nodes.map(({ description }) => description), new BusinessMessagingApi()];
const now = pictured(described);
const then = readJson<Record<string, string>>(PICTURED);

it.each(Object.keys(now))('the pictures of "%s" are as new as what they show', (shown) => {
	const older = 'docs/*.png are older than what they show: run "npm run screenshots"';
	expect(then[shown] === now[shown] ? 'new' : older).toBe('new');
});

it('npm can show the pictures of the README, because their addresses are absolute', () => {
	const readme = readFileSync('README.md', 'utf8');
	expect(readme.match(/(?:src|srcset)="(?!https:)[^"]*"/g)).toBeNull();
});
