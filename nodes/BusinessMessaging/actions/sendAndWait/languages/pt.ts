/** The page of a question in Portuguese. */
export const PORTUGUESE = {
	heading: 'Uma pergunta para você',
	codeLabel: 'Código da mensagem',
	answerLabel: 'Sua resposta',
	send: 'Enviar',
	reasonLabel: 'Motivo de “[button]” (opcional)',
	missing: 'Responda antes de enviar.',
	wrongCode:
		'Esse não é o código desta mensagem. Digite o código da mensagem em que este link chegou.',
	thanks: 'Obrigado\nSua resposta foi enviada:',
	close: 'Você pode fechar esta página.',
	answered: 'Já respondida\nEsta pergunta já foi respondida. Só a primeira resposta conta.',
	expired:
		'O prazo terminou\nEsta pergunta não pode mais ser respondida. Entre em contato com quem a enviou.',
	wrongLink:
		'Não há pergunta aqui\nEste link está incompleto ou é de uma pergunta anterior. Abra o link da mensagem mais recente.',
	notStored:
		'Sua resposta não foi salva\nA pergunta foi respondida no mesmo momento, ou algo deu errado. Abra o link de novo em um minuto.',
	toolValues: 'Valores para a ferramenta [tool]: [count]',
	more: 'mais [count] caracteres',
	willSend: 'O que será enviado',
	customerReads: 'O que o cliente vai ler',
	computedLater: 'O que está entre chaves duplas é calculado quando a ferramenta é executada.',
};
