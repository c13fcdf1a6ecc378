/** The page of a question in Spanish. */
export const SPANISH = {
	heading: 'Una pregunta para usted',
	codeLabel: 'Código del mensaje',
	answerLabel: 'Su respuesta',
	send: 'Enviar',
	reasonLabel: 'Motivo de «[button]» (opcional)',
	missing: 'Responda antes de enviar.',
	wrongCode:
		'Ese no es el código de este mensaje. Introduzca el código del mensaje en el que recibió este enlace.',
	thanks: 'Gracias\nSu respuesta se ha enviado:',
	close: 'Puede cerrar esta página.',
	answered: 'Ya se respondió\nEsta pregunta ya tiene respuesta. Solo cuenta la primera.',
	expired:
		'El plazo ha terminado\nYa no se puede responder a esta pregunta. Póngase en contacto con la persona que se la envió.',
	wrongLink:
		'Aquí no hay ninguna pregunta\nEste enlace está incompleto o es de una pregunta anterior. Abra el enlace del mensaje más reciente.',
	notStored:
		'Su respuesta no se guardó\nLa pregunta se respondió en el mismo momento, o algo salió mal. Vuelva a abrir el enlace dentro de un minuto.',
	toolValues: 'Valores para la herramienta [tool]: [count]',
	more: '[count] caracteres más',
	willSend: 'Lo que se enviará',
	customerReads: 'Lo que leerá el cliente',
	computedLater: 'Lo que está entre llaves dobles se calcula cuando se ejecuta la herramienta.',
};
