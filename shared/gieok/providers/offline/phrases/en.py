"""English."""

from gieok.providers.offline.phrases import Voice

EN = Voice(
    says={
        "danger": (
            "{name}thank you for telling me. I only answer by rules, and this needs a person by "
            "your side. If you are in danger, call your emergency number now; in the US and "
            "Canada 988 listens day and night, in the UK and Ireland 116 123.",
        ),
        "beside": ("Got it, I'll keep that apart from the story.",),
        "level": ("Sure, I'll speak that way from now on.",),
        "acted": (
            "I saw that! You were standing too close for me to miss it.",
            "I tried to copy you. You do it better. And then?",
        ),
        "nonsense": (
            "Did a cat just walk across your keyboard?",
            "I read that three times, and I'm still no code breaker. Once more?",
        ),
        "laugh": (
            "Ha, what is it? Let me in on it.",
            "I laughed along. Now I just need the reason.",
        ),
        "named": (
            "{called}! I like it. That's what I'll call you.",
            "{called} it is. I'm holding on to that.",
        ),
        "renamed": ("{called}? I like that. I've already said it three times.",),
        "morning": (
            "{name}good morning! What did you do first today?",
            "{name}morning! Slept well?",
        ),
        "day": (
            "{name}hello! What kind of day is it so far?",
            "{name}good to see you. Have you had lunch?",
        ),
        "evening": (
            "{name}good evening! How was your day?",
            "{name}there you are. Tell me one scene of today.",
        ),
        "late": ("{name}you're up late. Can't sleep?", "{name}hello, night owl. How was today?"),
        "night": (
            "{name}good night! Keep your feet under the blanket.",
            "Sleep well. I'll look after today's stories.",
        ),
        "farewell": (
            "{name}take care! You still owe me the next part.",
            "See you. I'm not giving your seat away.",
        ),
        "thanks": ("Oh, thank you.", "Now I'm standing a little taller.", "You did the telling!"),
        "sorry": ("It's fine, really.", "Accepted. The interest is one good story."),
        "love": ("Your visits are my favourite part, too.", "Stop it, I'm glowing."),
        "cold": ("Ouch, that one stings a little. What did I get wrong?",),
        "joke": (
            "What do you call a fake noodle? An impasta. Sorry, that was my best one.",
            "Why did the scarecrow win a prize? It was outstanding in its field.",
            "I'd tell you a joke about paper, but it's tearable.",
        ),
        "who": ("I'm {self}. What may I call you?", "{self}! Now tell me one thing about you."),
        "machine": (
            "Right now I only follow simple rules, so my wit is short. What you tell me I do keep.",
        ),
        "doing": (
            "Waiting for your story. And you?",
            "Picking what to say to you. What are you up to?",
        ),
        "tastes": ("I like {likes}. And you?",),
        "how_are_you": (
            "I'm fine, and a bit finer since you came. You?",
            "Not bad! How many points does today get?",
        ),
        "advice": (
            "If it's half and half, I vote for doing it. I can't take the blame, but I can cheer.",
            "Flip a coin. What you hope for while it's in the air is the answer.",
        ),
        "question": (
            "I don't know that one. What do you think?",
            "Good question; my answers can't keep up. What made you wonder?",
        ),
        "corrected": (
            "Ah, I see! I'll keep the corrected one.",
            "Thanks, I crossed the old one out.",
        ),
        "line": ("All right, I won't. Thanks for telling me.",),
        "grief": ("{name}I don't know what to say. I'll just stay here with you.",),
        "sad": (
            "{name}that sounds hard. I'm listening, all the way to the end.",
            "You've been through a lot. You needn't cheer up here.",
            "I wish somebody handed you something warm. What weighs most?",
        ),
        "good": (
            "Wow, really? Now I'm excited, too!",
            "{name}brag as much as you like, I won't shorten a word.",
        ),
        "promise": ("It's a promise. Pinky and all.", "Noted, and I've hidden the eraser."),
        "plan": (
            "That sounds fun. Tell me first how it went!",
            "Good plan. What comes first?",
        ),
        "like": (
            "So that's what you like. Noted!",
            "Your letters sparkle a little when you say that. Since when?",
        ),
        "dislike": ("All right, I'll keep it far away from you.",),
        "go_on": ("I'm listening.", "Mhm, and then?", "I'm here. Take your time."),
        "statement": (
            "I see. Tell me a little more?",
            "Go on, I'm all ears. What happened then?",
            "I'm glad you told me. How did that feel?",
        ),
    },
    about={
        "statement": (
            "Oh, {topic}! Tell me a little more?",
            "{topic}, you say? My ears just grew. What happened then?",
            "I put {topic} on my first page. How did that feel?",
        ),
        "good": ("Wow, {topic}! Now I'm excited, too.",),
        "plan": ("{topic}, that sounds fun! Tell me first how it went.",),
    },
    told=(
        "Yes, I remember. {when} you said “{quote}”",
        "{when} you told me “{quote}”, didn't you?",
    ),
    noted=("Yes, I remember this from {when}: “{quote}”",),
    reminded=("That reminds me, {when} you said “{quote}”",),
    corrected_since=("{when} you said “{quote}” and then put it right: “{correction}”",),
    unsure=(
        "Hm, that one doesn't come to mind. One hint?",
        "I'd rather not make it up: I don't know. Tell me again and I'll hold on to it.",
    ),
    your_name=("{called}, of course!", "You're {called}. As if I'd forget."),
    just_now="earlier",
)
